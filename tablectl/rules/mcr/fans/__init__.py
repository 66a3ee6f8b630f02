"""Finding fan: a module for each family. Finders report what they see; exclusions are data (`fans.toml`)."""
