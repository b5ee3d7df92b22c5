import { randomBytes } from 'node:crypto'
import { secretPrefixes } from '../../../shared/api/redact.ts'
import { Secret } from '../../kernel/secret.ts'

/** Made for one test, of the form of the service's signing secrets; no webhook has it. */
export const throwawaySecret = (): Secret => new Secret(`${secretPrefixes.webhook}${randomBytes(32).toString('hex')}`)
