import { type NameOffer, nameOffer } from '../../../shared/field-map/name-offer.ts'
import type { SentField } from '../../../shared/field-map/sent-names.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ApiFailure } from '../transport/api-client.ts'

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
