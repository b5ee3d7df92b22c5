import type { Faults } from '../../faults.ts'

interface Accepted extends Readonly<Record<string, unknown>> {
  readonly delegated: Readonly<Record<string, unknown>>
}

/** The answer to a delegated execution as the fault wants it. */
export function misleadDelegated(body: Accepted, fault: Faults['delegated']): Record<string, unknown> {
  switch (fault) {
    case null:
      return body
    case 'foreign_status_url':
      return { ...body, status_url: 'https://svc-dex.example.org/api/dex/v1/executions/elsewhere' }
    case 'no_command_id':
      return { ...body, delegated: { ...body.delegated, command_id: null } }
  }
}
