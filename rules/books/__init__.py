"""The rule books as data files, one TOML file each; read by `rules.library`."""
