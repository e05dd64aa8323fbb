-- People who sign in with a company's own identity provider: issuer and subject, which no two providers share.

alter table watchroom_identity.identities add column external_id text unique;
