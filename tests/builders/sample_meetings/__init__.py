"""Two invented meetings in the form of the 3GPP archive, written into `locator_search/dev/sample_meetings`."""
