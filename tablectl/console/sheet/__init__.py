"""The score sheet on paper and screens: where it comes from, and each of the forms it takes."""
