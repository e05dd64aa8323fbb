-- What was told of a script quoted it with its credentials in place. The run has the script, without them.
update playbook_run_actions set result = result - 'args' where result ? 'args';
