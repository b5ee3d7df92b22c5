import { expect, test } from 'vitest'
import { auditDetailText, auditTitle, operationNoteText } from '../../shared/text/audit-text.ts'

test('the app shows an audit event’s stored title, or otherwise a readable title made from the event’s name', () => {
  expect(auditTitle({ event: 'secret.copied', title: '' })).toBe('Secret copied')
  expect(auditTitle({ event: 'key.new_thing', title: '' })).toBe('Key new thing')
  expect(auditTitle({ event: 'constructor', title: '' })).toBe('Constructor')
  expect(auditTitle({ event: 'api.call', title: 'GET /api/dex/v1/account' })).toBe('GET /api/dex/v1/account')
  expect(auditTitle({ event: 'key.created', title: 'Key made' })).toBe('Key made')
})

test('the app replaces a known code in an audit entry’s detail with a sentence, and shows other detail text unchanged', () => {
  expect(operationNoteText('revoke_unanswered')).toBe('The response was lost. It is safe to revoke the key again.')
  expect(operationNoteText('expiry_confirmed 30')).toBe('The service confirmed the expiry: 30 days from now.')
  expect(operationNoteText('as_written The service is closed.')).toBe('The service is closed.')
  expect(operationNoteText('rate_limited')).toBe('rate_limited')
  expect(auditDetailText({ detail: 'The service confirmed the change. · toString' })).toBe('The service confirmed the change. · toString')
  expect(auditDetailText({ detail: 'my-command · by_terminal · denied' })).toBe('my-command · from the terminal · denied')
  expect(auditDetailText({ detail: null })).toBeNull()
})
