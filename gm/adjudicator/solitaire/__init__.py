"""The game for one person (rules 18-28): one human plays Red, a system of rules plays everything that is not Red."""
