import { isLoopback } from '../../../shared/api/host-url.ts'

/** Where deliveries are received when nobody says otherwise, so that a webhook or a tunnel can be pointed there before. */
export const usualPlace = { port: 4807, path: '/deliveries' } as const

/** Of this computer, over HTTP or HTTPS, without a name and a password. */
export const isOwn = ({ protocol, hostname, username, password }: URL): boolean =>
  (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname) && username === '' && password === ''

export const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

/** A URL of this computer as people type it, `http://` left out or not; null: it is none. */
export function readOwn(typed: string): URL | null {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`)
  return url !== null && isOwn(url) ? url : null
}
