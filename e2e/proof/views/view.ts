import type { Input, Name } from '../../../shared/ipc/contract.ts'

/** A record of an answer as the exchange holds it, in its own names. */
export type Row = Readonly<Record<string, unknown>>

/**
 * What a field that the app shows must agree with: the field of the exchange's own answer with that name.
 * said: a word that may also stand as the service writes it, because the contract promises the service's word.
 * derived: the app's own calculation of fields of the same record; null: it can say nothing.
 */
export type Told =
  | string
  | { readonly said: string }
  | { readonly derived: string; readonly from: readonly string[]; readonly value: (row: Row) => string | number | boolean | null }

/** Fields of one record, or of each record of a list, on both sides. */
export interface Part {
  /** Dotted path of the record or list in what the query answers; empty: the answer itself. */
  readonly shown: string
  /** The same in the exchange's own answer. */
  readonly told: string
  /** A list on both sides: rows belong together where these fields agree, the first as shown, the second as told. */
  readonly by?: readonly [shown: string, told: string]
  readonly fields: Readonly<Record<string, Told>>
  /** Rows of the list that the app may add from the rest of the same answer. */
  readonly added?: (told: Row) => readonly Row[]
}

/** One query of the contract, the route that it is read from, and which field shows which. */
export interface View<N extends Name = Name> {
  readonly query: N
  /** Distinguishes views of one query, such as the tables of `account.history`. */
  readonly variant?: string
  readonly input: (facts: Facts) => Input<N>
  /** By method and path as the generator names it: `GET /positions`. */
  readonly route: string
  readonly parts: readonly Part[]
  /** Fields of the query that say nothing of the service's answer, or that this answer does not carry. */
  readonly own: readonly string[]
  /** Fields of the exchange's answer that the query does not show, by their dotted path. */
  readonly unshown: readonly string[]
}

/** What the queries need to be asked. */
export interface Facts {
  readonly pairId: number
  readonly clientOrderId: string
  readonly txHash: string
  /** This app's reference of a delegated execution. */
  readonly execution: string
  readonly riskTicket: Input<'account.riskPreview'>['ticket']
}

export const view = <N extends Name>(definition: View<N>): View<N> => definition

export const said = (field: string): Told => ({ said: field })

export const nameOf = ({ query, variant }: Pick<View, 'query' | 'variant'>): string => (variant === undefined ? query : `${query} ${variant}`)
