/** What stands for a secret wherever it is shown. Sent back to the backend, it leaves the secret that it stands for as it is. */
export const SECRET_MASK = '***'
