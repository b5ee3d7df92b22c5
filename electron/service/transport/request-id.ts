import { randomUUID } from 'node:crypto'

/**
 * `dsk-` and 12 hex digits: within Service 9's 8 to 80 of `A-Za-z0-9._:-`. The last group of a random UUID is 48 bits of
 * chance, and Node draws those in bulk; a draw of its own for six bytes takes ten times as long.
 */
export const newRequestId = (): string => `dsk-${randomUUID().slice(-12)}`
