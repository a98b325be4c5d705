"""Third-party plugins: the hooks they may implement, and how they are found, loaded and used.

`hookspecs` are the hooks; `discovery` finds what is installed, `loading` loads it plugin by plugin, and `registry`
holds what came of it; `plain_data` copies what an importer gives; `watch` says which plugin a command waits for.
`inspection` looks at each plugin in a process of its own. `skeleton` writes a package to start from, made of the files
in `template`.
"""
