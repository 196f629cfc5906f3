"""The tournament formats as data files, one TOML file each; read by `rules.tournament_library`."""
