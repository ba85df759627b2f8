"""What keeps a memory in order after it was written: changing, forgetting, paging, moving data in and out."""
