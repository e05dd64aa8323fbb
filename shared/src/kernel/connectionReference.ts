/** How a connection is named in a definition: `connection://namespace/name`, of which the first part may be absent. */
export const CONNECTION_REFERENCE = /^connection:\/\/(?:([^\s/@]+)\/)?([^\s/@]+)$/
