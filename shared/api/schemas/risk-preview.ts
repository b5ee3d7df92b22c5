import { z } from 'zod'
import { assumed } from '../assumptions.ts'
import { decimal, flag, isRecord, may, objectReader, readField, schemaOf, text } from '../loose.ts'
import { JsonObject } from './inputs.ts'

/** As prepare takes it. */
export const RiskPreviewRequest = z.object({ action: z.string().min(1), payload: JsonObject })

const fields = assumed.riskPreview.fields

const preview = objectReader({
  action: may(fields.action, text),
  executable: may(fields.executable, flag),
  reason: may(fields.reason, text),
  entryPrice: may(fields.entryPrice, decimal),
  liquidationPrice: may(fields.liquidationPrice, decimal),
  marginRequired: may(fields.marginRequired, decimal),
  marginUsedBefore: may(fields.marginUsedBefore, decimal),
  marginUsedAfter: may(fields.marginUsedAfter, decimal),
  healthBefore: may(fields.healthBefore, decimal),
  healthAfter: may(fields.healthAfter, decimal),
  tradingFee: may(fields.tradingFee, decimal),
  network: may(fields.network, decimal),
  equityAfter: may(fields.equityAfter, decimal),
  marginAfter: may(fields.marginAfter, decimal),
  freeMarginAfter: may(fields.freeMarginAfter, decimal),
  withdrawableAfter: may(fields.withdrawableAfter, decimal),
})

/** `POST /risk/preview` (assumed). A simulation and costs of their own, as a preparation has them, are read as if they stood beside the rest. */
export const RiskPreviewAnswer = schemaOf((value, complain) => {
  const inner = isRecord(value) ? readField(value, fields.preview) : undefined
  const whole = isRecord(inner) ? inner : value
  if (!isRecord(whole)) return undefined
  const parts = [fields.simulation, fields.costs].flatMap((names) => {
    const part = readField(whole, names)
    return isRecord(part) ? [part] : []
  })
  const { simulation: _simulation, costs: _costs, ...rest } = whole
  return preview(parts.length === 0 ? whole : Object.assign({}, rest, ...parts), complain)
})
export type RiskPreviewAnswer = z.output<typeof RiskPreviewAnswer>
