/** Whether the backend does not take what it was shown. 400 is for an access token that is none (backend reference 2.3). */
export const isCredentialRefused = (status: number): boolean => [400, 401, 403].includes(status)
