"""What happens when: plain functions, each the owner of one transaction."""
