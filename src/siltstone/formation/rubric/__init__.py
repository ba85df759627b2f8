"""What makes a statement weigh: objects of a life with their weights, firmness, whose it is. Word lists and scoring."""
