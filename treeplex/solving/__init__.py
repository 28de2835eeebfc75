"""Games solved by linear programs and regret minimisers."""
