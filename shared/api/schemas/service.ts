import { z } from 'zod'
import { assumed } from '../assumptions.ts'
import {
  fieldsReader,
  flag,
  isRecord,
  looseObject,
  may,
  objectReader,
  type Reader,
  readField,
  record,
  schemaOf,
  text,
  textList,
  time,
  wholeNumber,
} from '../loose.ts'

const status = assumed.serviceStatus.fields

/** `"ok"`, `true` or `{status: "ok"}`. */
const state: Reader<string> = (value, complain) => {
  if (typeof value === 'boolean') return value ? 'ok' : 'down'
  return text(isRecord(value) ? readField(value, status.state) : value, complain)
}

export const ServiceStatus = looseObject({
  api: may(status.api, state),
  network: may(status.network, state),
  engine: may(status.engine, state),
  blockNumber: may(status.block, wholeNumber),
  serverTimeMs: may(status.serverTime, time),
})
export type ServiceStatus = z.output<typeof ServiceStatus>

const published = assumed.publishedContracts.fields

/** Addresses as published; not yet trusted by anyone. */
export interface PublishedContracts {
  readonly router: string | null
  readonly usdc: string | null
  /** The protocol's own token. */
  readonly svc: string | null
  /** Other contracts, by name. */
  readonly unknownFields: string | null
}

const contractsOf: Reader<PublishedContracts> = objectReader({
  router: may(published.router, text),
  usdc: may(published.usdc, text),
  svc: may(published.svc, text),
})

const meta = objectReader({
  apiVersion: may(published.apiVersion, text),
  schema: may(published.schema, text),
  scopes: may(published.scopes, textList),
  capabilities: may(published.capabilities, record),
  chainId: may(published.chainId, wholeNumber),
  contracts: may(published.contracts, contractsOf),
})

export const ServiceMeta = schemaOf((value, complain) => {
  const found = meta(value, complain)
  if (found === undefined) return undefined
  const delegated = found.capabilities === null ? undefined : readField(found.capabilities, published.delegated)
  return { ...found, delegated: flag(delegated, () => {}) ?? null }
})
export type ServiceMeta = z.output<typeof ServiceMeta>

const config = objectReader({
  chainId: may(published.chainId, wholeNumber),
  contracts: may(published.contracts, contractsOf),
  collateralModel: may(published.collateralModel, record),
  orderModel: may(published.orderModel, record),
  feeModel: may(published.feeModel, record),
  precisionModel: may(published.precisionModel, record),
  developerApi: may(published.developerApi, record),
})

const permitOf = (model: Readonly<Record<string, unknown>> | null): boolean => {
  const approval = model === null ? undefined : readField(model, published.approval)
  // Flow rule 4: only a true `collateral_model.approval.permit` allows it.
  return isRecord(approval) && flag(readField(approval, published.permit), () => {}) === true
}

const orders = fieldsReader({
  orderTypes: may(published.orderTypes, textList),
  marginModes: may(published.marginModes, textList),
  timesInForce: may(published.timesInForce, textList),
})

export const ServiceConfig = schemaOf((value, complain) => {
  const found = config(value, complain)
  if (found === undefined) return undefined
  const taken = orders(found.orderModel ?? {}, () => {}) ?? { orderTypes: null, marginModes: null, timesInForce: null }
  return { ...found, ...taken, permit: permitOf(found.collateralModel) }
})
export type ServiceConfig = z.output<typeof ServiceConfig>

/** An answer whose views come with their own feature: kept whole. */
export const AnyAnswer = z.unknown()
