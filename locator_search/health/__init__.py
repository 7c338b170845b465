"""What doctor, status and the pages say of each part."""
