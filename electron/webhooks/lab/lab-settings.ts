import type { Failure } from '../../../shared/ipc/failure.ts'
import type { LabSettings } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { isOwn, portOf } from './own-url.ts'

const wrong = (field: keyof LabSettings, issue: string): Result<never, Failure> => fail({ kind: 'bad_input', field, issue })

/** Where verified deliveries are handed on to; null: to nobody. */
export function readForwardTo({ forwardTo, port, path, answer }: LabSettings): Result<URL | null, Failure> {
  if (!/^\/[!-~]*$/.test(path) || URL.parse(path, 'http://127.0.0.1')?.pathname !== path)
    return wrong('path', 'A path begins with a slash and has no spaces and no query, such as /deliveries.')
  if (forwardTo === null)
    return answer.kind === 'forwarded' ? wrong('forwardTo', 'To answer as your endpoint does, deliveries have to be forwarded to it.') : ok(null)
  const url = URL.parse(forwardTo)
  if (url === null || !isOwn(url)) return wrong('forwardTo', 'A URL of this computer, such as http://localhost:3000/hook.')
  if (portOf(url) === port) return wrong('forwardTo', `Deliveries would go round in a circle: port ${port} is the one that they are received on.`)
  return ok(url)
}

/** Why a port cannot be had, by the system's code. */
export function portFailure(port: number, code: string): Failure {
  const why = code === 'EADDRINUSE' ? 'something else on this computer has it' : code === 'EACCES' ? 'the system does not give it to you' : code
  return { kind: 'bad_input', field: 'port', issue: `Deliveries cannot be received on port ${port}: ${why}. Choose another.` }
}
