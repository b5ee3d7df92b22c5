import type { Endpoint } from '../../../shared/api/endpoint.ts'
import type { AnswerOf } from '../../../shared/api/reader/answer.ts'
import { type NameOffer, nameOffer } from '../../../shared/field-map/name-offer.ts'
import { type AssumedBody, namedBody, type SentField, sentByBody } from '../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, type Result } from '../../../shared/result.ts'
import type { ApiAnswer, ApiClient, ApiFailure, ApiRequest } from '../transport/api-client.ts'
import type { FieldMapBook } from './field-map.ts'

/** Calls an endpoint whose body the document does not show: with the service's own names, and with the name that its refusal asks for. */
export type NamedCall = <E extends Endpoint>(
  body: AssumedBody,
  endpoint: E,
  request: ApiRequest<E> & { readonly body: Readonly<Record<string, unknown>> },
) => Promise<Result<ApiAnswer<AnswerOf<E['response']>>, ApiFailure>>

export const createNamedCall =
  ({ api, fieldMap }: { readonly api: Pick<ApiClient, 'call'>; readonly fieldMap: Pick<FieldMapBook, 'names'> }): NamedCall =>
  async (body, endpoint, request) => {
    const names = fieldMap.names()
    const answer = await api.call(endpoint, { ...request, rawBody: namedBody(body, request.body, names) })
    return answer.ok ? answer : fail({ ...answer.failure, failure: taught(answer.failure, sentByBody(body, request.body, names)) })
  }

/** Names that one exit learns by itself: as many as its request has. */
export const mostLearnt = 8

/** The name that a refusal asks for. */
export const offerIn = (failure: Failure): NameOffer | undefined => (failure.kind === 'refused' ? failure.offer : undefined)

/**
 * A failure with the name that the service asks for, where its refusal of the request itself (400, 422) says one. `sent`: the fields that were
 * sent under names that the document does not show.
 */
export function taught({ failure, sent: arrived, invalidFields = [] }: ApiFailure, sent: readonly SentField[]): Failure {
  if (failure.kind !== 'refused' || arrived !== 'answered' || (failure.status !== 400 && failure.status !== 422)) return failure
  const offer = nameOffer(invalidFields, sent)
  return offer === null ? failure : { ...failure, offer }
}
