"""What is to be played: experiments, variants, line-ups, strategies, measures, and the plan made of them."""
