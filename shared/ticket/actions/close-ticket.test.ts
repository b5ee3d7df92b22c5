import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimals, floor, isSame, over, ratio, times, unit, whole } from '../../../e2e/support/fixtures/ratio.ts'
import { btc, longBtc, mark } from '../../../e2e/support/fixtures/ticket.ts'
import { ActionTicket } from '../../ipc/intents/tickets.ts'
import { formIssueText } from '../../text/form-text.ts'
import { titleText } from '../../text/title-text.ts'
import { actionTitle, preparedBody } from './action-payload.ts'
import { type CloseState, initialClose, readClose, readInvert, summariseClose } from './close-ticket.ts'

const read = (change: Partial<CloseState> = {}, position = longBtc, at: string | null = mark) => readClose({ ...initialClose, ...change }, position, btc, at)
const texts = (...args: Parameters<typeof read>) => read(...args).errors.map(({ field, issue }) => [field, formIssueText(issue)])
const bodyOf = (change: Partial<CloseState>) => {
  const { ticket, errors } = read(change)
  if (ticket === null) throw new Error(JSON.stringify(errors))
  return { body: preparedBody(ActionTicket.parse(ticket), 'desk-1'), title: titleText(actionTitle(ticket, 1)) }
}

test('the close ticket closes a whole position, or a part in percent or base units, at market or at a limit price [ORD-05]', () => {
  expect(bodyOf({})).toEqual({
    body: {
      action: 'close_position_market',
      payload: { position_id: 'pos_1', reference_price: '96412.5', max_slippage_bps: 50, client_order_id: 'desk-1' },
    },
    title: 'Close the long on BTC-PERP at market',
  })
  expect(bodyOf({ part: '50' })).toMatchObject({ body: { payload: { size: '0.1296' } }, title: 'Close 0.1296 of the long on BTC-PERP at market' })
  expect(bodyOf({ orderType: 'limit', part: '0.1', partIn: 'base', limitPrice: '97,000', postOnly: true })).toEqual({
    body: {
      action: 'close_position_limit',
      payload: { position_id: 'pos_1', size: '0.1', limit_price: '97000', time_in_force: 'gtc', post_only: true, client_order_id: 'desk-1' },
    },
    title: 'Close 0.1 of the long on BTC-PERP at limit 97,000.0',
  })
  // A part as large as the position counts as the whole position. The payload then has no size, so that it stays right if the position's size
  // changes meanwhile.
  expect(bodyOf({ part: '0.2593', partIn: 'base' }).body.payload).not.toHaveProperty('size')
})

test.each<[Partial<CloseState>, readonly (readonly [string, string])[]]>([
  [{ part: '' }, [['part', 'Type the percentage to close.']]],
  [{ part: '0' }, [['part', 'Enter more than 0% and at most 100%.']]],
  [{ part: '100.5' }, [['part', 'Enter more than 0% and at most 100%.']]],
  [{ part: '0.0001' }, [['part', 'That is less than the smallest size of BTC-PERP.']]],
  [{ part: '0.3', partIn: 'base' }, [['part', 'The position holds 0.2593 BTC.']]],
  [{ part: '0.00001', partIn: 'base' }, [['part', 'BTC-PERP sizes have at most 4 decimals.']]],
  [{ part: '-1', partIn: 'base' }, [['part', 'Enter a number above zero.']]],
  [{ slippagePercent: '10.01' }, [['slippage', 'Slippage must be between 0.01% and 10%.']]],
  [{ slippagePercent: '0,5' }, [['slippage', 'Write 0.5 with a point. A comma only groups thousands.']]],
  [{ slippagePercent: 'x' }, [['slippage', 'Slippage must be a percentage in steps of 0.01.']]],
  [
    { part: 'x', slippagePercent: '11' },
    [
      ['part', 'Type the percentage to close.'],
      ['slippage', 'Slippage must be between 0.01% and 10%.'],
    ],
  ],
  [{ orderType: 'limit' }, [['limitPrice', 'Type a price.']]],
  [{ orderType: 'limit', limitPrice: '97000.3' }, [['limitPrice', 'BTC-PERP prices move in steps of 0.5. The nearest is 97,000.5.']]],
  // Post-only with fill or kill makes little sense, but the API document allows it. So the form accepts it, and the sheet warns.
  [{ orderType: 'limit', limitPrice: '97000', postOnly: true, timeInForce: 'fok' }, []],
])('the app checks the close form’s input %j, and reports each problem at the affected field [ORD-05]', (change, sentences) => {
  expect(texts(change)).toEqual(sentences)
})

test('the close ticket refuses a market close without a market price, and a partial close if the position’s size is unknown', () => {
  expect(texts({}, longBtc, null)).toEqual([['referencePrice', 'There is no price for this market yet.']])
  expect(texts({ part: '50' }, { ...longBtc, size: null })).toEqual([['part', 'The size of the position is unknown. You can only close all of it.']])
  expect(texts({}, { ...longBtc, size: null })).toEqual([])
})

test('the close ticket computes a part of a position exactly, rounded down to the market’s size decimals [ORD-04]', () => {
  fc.assert(
    fc.property(decimals(10_000n, 8), decimals(99n, 4), (size, part) => {
      const { ticket, errors } = readClose({ ...initialClose, part }, { ...longBtc, size }, btc, mark)
      const wanted = floor(over(over(times(ratio(size), ratio(part)), whole(100n)), unit(4)))
      if (wanted === 0n) expect(errors.map(({ field }) => field)).toEqual(['part'])
      else expect(isSame(ratio(ticket?.size ?? '0'), times(whole(wanted), unit(4)))).toBe(true)
    }),
  )
})

test('the close ticket’s summary shows the remaining size, the profit or loss, and the worst price', () => {
  const { ticket } = read({ part: '0.1', partIn: 'base' })
  if (ticket === null) throw new Error('There is no ticket')
  expect(summariseClose(ticket, '96000')).toEqual({ size: '0.1', remaining: '0.1593', valueUsdc: '9641.25', pnlUsdc: '41.25', worstPrice: '95930.4375' })
  expect(summariseClose({ ...ticket, position: { ...longBtc, side: 'short' } }, '96000')).toMatchObject({ pnlUsdc: '-41.25', worstPrice: '96894.5625' })
  expect(summariseClose({ ...ticket, size: null }, null)).toMatchObject({ size: '0.2593', remaining: '0', pnlUsdc: null })
})

test('the app inverts a position at market within the requested max slippage [ORD-05]', () => {
  const { ticket } = readInvert('0.25', longBtc, mark)
  if (ticket === null) throw new Error('There is no ticket')
  expect(preparedBody(ticket, 'desk-1')).toEqual({
    action: 'invert_position',
    payload: { position_id: 'pos_1', reference_price: '96412.5', max_slippage_bps: 25, client_order_id: 'desk-1' },
  })
  expect(titleText(actionTitle(ticket, 1))).toBe('Invert the long on BTC-PERP at market')
  expect(readInvert('11', longBtc, null).errors.map(({ field }) => field)).toEqual(['slippage', 'referencePrice'])
})
