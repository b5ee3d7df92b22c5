import type { Input, Name } from '../../../shared/ipc/contract.ts'

/** A record of an answer as the exchange holds it, in its own names. */
export type Row = Readonly<Record<string, unknown>>

/**
 * What a field that the app shows must agree with: the field of the exchange's own answer with that name.
 * said: a word that may also stand as the service writes it, because the contract promises the service's word.
 * derived: of several fields of the same record (`from`, the one that tells it first); null: it can say nothing. or: what may stand there as well, to the cent.
 * instead: what the app shows where it does not know the value, and says nothing wrong with.
 */
export type Told =
  | string
  | { readonly said: string }
  | { readonly derived: string; readonly from: readonly string[]; readonly value: Saying; readonly or?: Saying; readonly instead?: Saying }

type Saying = (row: Row) => string | number | boolean | null

/** Fields of one record, or of each record of a list, on both sides. */
export interface Part {
  /** Dotted path of the record or list in what the query answers; empty: the answer itself. */
  readonly shown: string
  /** The same in the exchange's own answer. */
  readonly told: string
  /** A list on both sides: rows belong together where these fields agree, the first as shown, the second as told. */
  readonly by?: readonly [shown: string, told: string]
  readonly fields: Readonly<Record<string, Told>>
  /** Whether the rows are what the app read before, because the service's own list was not readable. */
  readonly ownRows?: (shown: unknown) => boolean
  /** Rows that the query answers with at once: of a longer list, those that are not shown are on its next page. */
  readonly most?: number
  /** Rows of the list that the app may add from the rest of the same answer, at the time when it read it. */
  readonly added?: (told: Row) => readonly Row[]
}

/** One query of the contract, the route that it is read from, and which field shows which. */
export interface View<N extends Name = Name> {
  readonly query: N
  /** Distinguishes views of one query, such as the tables of `account.history`. */
  readonly variant?: string
  /** null: it cannot be asked, since what it asks for is not there. */
  readonly input: (facts: Facts) => Input<N> | null
  /** By method and path as the generator names it: `GET /positions`. */
  readonly route: string
  readonly parts: readonly Part[]
  /** What the answer states, where a part of it is stated only under a condition that another part names. */
  readonly stated?: (shown: unknown) => unknown
  /** The list of which the app shows every page that it read. */
  readonly pages?: string
  /** Fields of the query that say nothing of the service's answer, or that this answer does not carry. */
  readonly own: readonly string[]
  /** Fields of the exchange's answer that the query does not show, by their dotted path. */
  readonly unshown: readonly string[]
}

/** What the queries need to be asked. */
export interface Facts {
  readonly pairId: number
  readonly clientOrderId: string
  /** null: nothing of the wallet is on the chain. */
  readonly txHash: string | null
  /** This app's reference of a delegated execution; null: there is none. */
  readonly execution: string | null
  readonly riskTicket: Input<'account.riskPreview'>['ticket']
}

export const view = <N extends Name>(definition: View<N>): View<N> => definition

export const said = (field: string): Told => ({ said: field })

export const nameOf = ({ query, variant }: Pick<View, 'query' | 'variant'>): string => (variant === undefined ? query : `${query} ${variant}`)
