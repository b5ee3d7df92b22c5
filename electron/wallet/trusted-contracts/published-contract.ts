import { getAddress, isAddress } from 'viem'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { type ApiClient, beforeExit, type KeyCredential } from '../../service/transport/api-client.ts'

/** null: it names none there, or that is among the unread. */
export interface PublishedContract {
  readonly config: string | null
  readonly meta: string | null
  readonly unread: readonly ('config' | 'meta')[]
  /** Contracts published beside the ones that this app knows by name. Absent: none. */
  readonly others?: { readonly config: readonly string[]; readonly meta: readonly string[] }
}

/** A contract as the service publishes it: in `/api/dex/config` and, with a key, in `/meta`. */
export function createPublishedContract({ api, key }: { readonly api: Pick<ApiClient, 'call'>; readonly key: () => Promise<KeyCredential | null> }) {
  const nothing = { params: {}, query: {}, body: undefined } as const
  return (name: 'router' | 'usdc' | 'svc') =>
    async (isExit: boolean): Promise<PublishedContract> => {
      const { call } = isExit ? beforeExit(api) : api
      const credential = await key()
      const [config, meta] = await Promise.all([
        call(endpoints.getConfig, { ...nothing, credential: null }),
        credential === null ? null : call(endpoints.getMeta, { ...nothing, credential }),
      ])
      return {
        config: addressIn(config.ok ? config.value.value.contracts?.[name] : null),
        meta: addressIn(meta?.ok === true ? meta.value.value.contracts?.[name] : null),
        others: {
          config: config.ok ? othersIn(config.value.value.contracts?.unknownFields) : [],
          meta: meta?.ok === true ? othersIn(meta.value.value.contracts?.unknownFields) : [],
        },
        unread: [...(config.ok ? [] : (['config'] as const)), ...(meta?.ok === true ? [] : (['meta'] as const))],
      }
    }
}

/** A name may stand for an address, or for a record or list that holds some. */
const addressesIn = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value === 'string') return [addressIn(value)].filter((address) => address !== null)
  return depth < 3 && typeof value === 'object' && value !== null ? Object.values(value).flatMap((inner) => addressesIn(inner, depth + 1)) : []
}

const othersIn = (unknownFields: string | null | undefined): readonly string[] => (unknownFields == null ? [] : addressesIn(JSON.parse(unknownFields)))

const addressIn = (written: string | null | undefined): string | null =>
  typeof written === 'string' && isAddress(written, { strict: false }) ? getAddress(written) : null
