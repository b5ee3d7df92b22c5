import type { Endpoint } from '../../../shared/api/endpoint.ts'
import type { AnswerOf } from '../../../shared/api/reader/answer.ts'
import type { AssumedBody } from '../../../shared/field-map/assumed-requests.ts'
import { namedBody, sentByBody } from '../../../shared/field-map/sent-names.ts'
import { fail, type Result } from '../../../shared/result.ts'
import type { ApiAnswer, ApiClient, ApiFailure, ApiRequest } from '../transport/api-client.ts'
import type { FieldMapBook } from './field-map.ts'
import { taught } from './taught.ts'

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
