"""Third-party plugins: hook specifications, entry points, isolated loading, what is broken, a package to start from."""
