"""A second company, a haulier with cold stores: some hundred files made by code, and what its people would ask."""
