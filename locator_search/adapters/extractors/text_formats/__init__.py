"""Files that are text: plain, CSV, Markdown, HTML, in whichever encoding."""
