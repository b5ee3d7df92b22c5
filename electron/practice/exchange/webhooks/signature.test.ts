import { expect, test } from 'vitest'
import { signatureOf } from './deliveries.ts'

const secret = 'svc_whsec_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'

/** Test vectors, computed by a program in another language. The signature covers the timestamp, a period and the body; the key is the full secret. */
const vectors: readonly (readonly [timestamp: string, body: Buffer, signature: string])[] = [
  [
    '1795012322',
    Buffer.from('{"id":"evt_1_order.filled","type":"order.filled","created_at":1795012320,"data":{}}'),
    'v1=efb2cb37957bf76aa26b3afc06e06a109cb4f826ce760e17e6f056e501298e55',
  ],
  ['1795012322', Buffer.alloc(0), 'v1=bbbe742454f1ceb80c97b08d5daada5eee991e69e5d047e96fb831fc15ae6727'],
  ['1795012323', Buffer.from('{"name":"Zürich ✓"}'), 'v1=1ab006a4e8944739c94de9b504b2e76f59cf63a9abdfe2e13d0b46ea516c0f39'],
  ['0', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), 'v1=357f743de11d886597773e2c735cb89f39ac7bb982e02aa27212dccba18b1a31'],
]

test('the practice exchange signs a delivery over timestamp, full stop and raw body, and uses the whole signing secret as key [HOOK-06]', () => {
  expect(vectors.map(([timestamp, body]) => signatureOf(secret, timestamp, body))).toEqual(vectors.map(([, , signature]) => signature))
})
