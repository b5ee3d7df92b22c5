import type { Endpoint } from '../../../shared/api/endpoint.ts'
import type { AnswerOf } from '../../../shared/api/reader/answer.ts'
import { type NameOffer, nameOffer } from '../../../shared/field-map/name-offer.ts'
import { type AssumedBody, namedBody, type SentField, sentByBody } from '../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, type Result } from '../../../shared/result.ts'
import type { ApiAnswer, ApiClient, ApiFailure, ApiRequest } from '../transport/api-client.ts'
import type { FieldMapService } from './field-map.ts'

/** Calls an endpoint whose body is not documented. Uses the service's own field names, and learns the names that a refusal asks for. */
export type NamedCall = <E extends Endpoint>(
  body: AssumedBody,
  endpoint: E,
  request: ApiRequest<E> & { readonly body: Readonly<Record<string, unknown>> },
) => Promise<Result<ApiAnswer<AnswerOf<E['response']>>, ApiFailure>>

export const createNamedCall =
  ({ api, fieldMap }: { readonly api: Pick<ApiClient, 'call'>; readonly fieldMap: Pick<FieldMapService, 'names'> }): NamedCall =>
  async (body, endpoint, request) => {
    const names = fieldMap.names()
    const answer = await api.call(endpoint, { ...request, rawBody: namedBody(body, request.body, names) })
    return answer.ok ? answer : fail({ ...answer.failure, failure: taught(answer.failure, sentByBody(body, request.body, names)) })
  }

/**
 * Maximum number of field names that the app learns automatically for one cancel, close or revoke. Such a request contains at most this many names.
 */
export const mostLearnt = 8

export const offerIn = (failure: Failure): NameOffer | undefined => (failure.kind === 'refused' ? failure.offer : undefined)

/**
 * Adds to a failure the field name that the service's refusal (400, 422) asks for. `sent` lists the fields of the request whose names the API
 * document does not define.
 */
export function taught({ failure, sent: arrived, invalidFields = [] }: ApiFailure, sent: readonly SentField[]): Failure {
  if (failure.kind !== 'refused' || arrived !== 'answered' || (failure.status !== 400 && failure.status !== 422)) return failure
  const offer = nameOffer(invalidFields, sent)
  return offer === null ? failure : { ...failure, offer }
}
