"""CFR-D: the trunk learns, subgames are solved anew in every iteration."""
