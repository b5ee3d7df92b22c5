import { executeRoute } from './executing.ts'
import { prepareRoute, relayRoute } from './trader.ts'
import type { Move } from './troubled-moves.ts'
import type { Workspace } from './workspace.ts'

const finalityRoute = 'GET /api/dex/v1/native/executions/{tx_hash}'
const statusRoute = 'GET /api/dex/v1/executions/{command_id}'
const receiptRoute = 'POST /api/dex/actions/receipt'
const lookUpRoutes = ['GET /api/dex/v1/orders/by-client-id', 'GET /api/dex/v1/transactions'] as const

const often = 99
const fails = (route: string) => ({ route, status: 500, code: 'INTERNAL', times: often })
const refuses = (route: string) => ({ route, status: 400, code: 'NOT_NOW', times: often })
const hasToWait = (route: string) => ({ route, status: 429, code: 'RATE_LIMITED', times: often })

/** Ends all earlier faults, then causes the fault `trouble`. */
export function cause({ faults, rpc }: Workspace, trouble: Move['trouble']): void {
  Object.assign(faults, { dropRequest: [], dropAnswer: [], body: [], answer: [], delay: [], delegated: null, prepared: null })
  rpc.setAway(trouble === 'rpc: silent' || trouble === 'rpc and finality: silent')
  switch (trouble) {
    case 'none':
    case 'rpc: silent':
      return
    case 'finality: fails':
    case 'rpc and finality: silent':
      faults.answer = [fails(finalityRoute)]
      return
    case 'prepare: answer lost':
      faults.dropAnswer = [{ route: prepareRoute, times: 1 }]
      return
    case 'prepare: request lost':
      faults.dropRequest = [{ route: prepareRoute, times: often }]
      return
    case 'prepare: fails':
      faults.answer = [fails(prepareRoute)]
      return
    case 'prepare: refused':
      faults.answer = [refuses(prepareRoute)]
      return
    case 'prepare: not executable':
      faults.prepared = 'preflight_failed'
      return
    case 'relay: answer lost':
      faults.dropAnswer = [{ route: relayRoute, times: often }]
      return
    case 'relay: answer lost, nothing found':
      faults.dropAnswer = [{ route: relayRoute, times: often }]
      faults.answer = lookUpRoutes.map(fails)
      return
    case 'relay: request lost':
      faults.dropRequest = [{ route: relayRoute, times: often }]
      return
    case 'relay: answer cut':
      faults.body = [{ route: relayRoute, kind: 'truncated' }]
      return
    case 'relay: fails':
      faults.answer = [fails(relayRoute)]
      return
    case 'relay: refused':
      faults.answer = [refuses(relayRoute)]
      return
    case 'relay: asked to wait':
      faults.answer = [hasToWait(relayRoute)]
      return
    case 'relay: killed meanwhile':
      faults.delay = [{ route: relayRoute, ms: null }]
      return
    case 'receipt: answer lost':
      faults.dropAnswer = [{ route: receiptRoute, times: 1 }]
      return
    case 'receipt: fails':
      faults.answer = [fails(receiptRoute)]
      return
    case 'execute: answer lost':
      faults.dropAnswer = [{ route: executeRoute, times: 1 }]
      return
    case 'execute: every answer lost':
    case 'execute: every answer lost for long':
      faults.dropAnswer = [{ route: executeRoute, times: often }]
      return
    case 'execute: request lost':
    case 'execute: never arrives':
      faults.dropRequest = [{ route: executeRoute, times: often }]
      return
    case 'execute: answer cut':
      faults.body = [{ route: executeRoute, kind: 'truncated' }]
      return
    case 'execute: fails':
      faults.answer = [fails(executeRoute)]
      return
    case 'execute: refused':
      faults.answer = [refuses(executeRoute)]
      return
    case 'execute: asked to wait':
      faults.answer = [hasToWait(executeRoute)]
      return
    case 'execute: lost, then refused':
      faults.dropAnswer = [{ route: executeRoute, times: 1 }]
      return
    case 'execute: killed meanwhile':
      faults.delay = [{ route: executeRoute, ms: null }]
      return
    case 'execute: names no command':
      faults.delegated = 'no_command_id'
      return
    case 'status: fails':
      faults.answer = [fails(statusRoute)]
      return
  }
}

/** Causes the second part of a fault, while the app waits before a retry. If the first response was lost, the exchange now refuses the retry. */
export function causeNext({ faults }: Workspace, trouble: Move['trouble']): void {
  if (trouble === 'execute: lost, then refused') faults.answer = [refuses(executeRoute)]
}
