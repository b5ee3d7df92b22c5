import { endsRisk } from '../../../shared/ticket/actions/check-action.ts'
import type { Discovery } from '../../service/capabilities/discovery.ts'
import { endsRiskOnly } from '../engine/delegated-rows.ts'
import type { Guards } from './guards.ts'

/** The user's rails, and before them the user's word on a drift (GEN-09): what ends risk waits for neither. */
export const heldByDrift = (guards: Guards, discovery: Pick<Discovery, 'held'>): Guards => ({
  ...guards,
  check: async (ticket, wallet) => (endsRisk(ticket) ? null : discovery.held()) ?? guards.check(ticket, wallet),
  checkDelegated: async (ticket, wallet) => (endsRiskOnly(ticket) ? null : discovery.held()) ?? guards.checkDelegated(ticket, wallet),
})
