import { expect, test } from 'vitest'
import { initialNewKey, readNewKey } from './new-key-form.ts'

const named = { ...initialNewKey, label: 'grid-eth-2' }

test('starts with a short life and any address, and needs only a name [KEY-10]', () => {
  expect(readNewKey(initialNewKey, []).request).toBeNull()
  expect(readNewKey(named, []).request).toEqual({ label: 'grid-eth-2', expiresInDays: 90, ipAllowlist: [] })
})

test.each(['0', '2001', '1.5', '', '-3', '1e2'])('refuses a life of %j days [KEY-02]', (days) => {
  expect(readNewKey({ ...named, days }, [])).toMatchObject({ days: 'A key lives 1 to 2000 days.', request: null })
})

test.each(['1', '2000'])('takes a life of %s days [KEY-02]', (days) => {
  expect(readNewKey({ ...named, days }, []).request?.expiresInDays).toBe(Number(days))
})

test('one wrong address holds the key back; a warning does not [KEY-03]', () => {
  expect(readNewKey({ ...named, entries: ['203.0.113.0/28', '198.51.100.0/33'] }, [])).toMatchObject({ wrongEntries: 1, request: null })
  expect(readNewKey({ ...named, entries: ['10.0.0.0/8'] }, []).request?.ipAllowlist).toEqual(['10.0.0.0/8'])
})
