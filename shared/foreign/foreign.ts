declare const closed: unique symbol

/**
 * What another party sent: a service, an RPC, whoever connects. It cannot be read as it is. The functions of this folder and of
 * `shared/api/redact.ts` read it within bounds of depth, length and count; nothing else may open it, and `npm run check` sees to that.
 */
export type Foreign<T> = { readonly [closed]: T }

/** Marks what came in. Costs nothing: the value stays as it is. */
export const foreign = <T>(value: T): Foreign<T> => value as unknown as Foreign<T>
