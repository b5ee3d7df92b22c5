import { newId } from '../auth/tokens.ts'

/** What the service does 9: 8 to 80 characters from `A-Z a-z 0-9 . _ : -`. A valid one of the client is echoed, any other replaced. */
export const requestIdFor = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && /^[A-Za-z0-9._:-]{8,80}$/.test(sent) ? sent : newId('req_', 20)
