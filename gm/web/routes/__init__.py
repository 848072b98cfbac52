"""The pages, a module a room. A route asks the campaign and hands the answer to a template."""
