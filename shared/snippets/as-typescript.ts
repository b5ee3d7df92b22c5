import { quoted, type SnippetRequest, snippetParts } from './snippet.ts'

const text = (value: string): string => quoted(value, code)

const code = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** The request for Node, as a module. The credential is read from the environment. */
export function asTypeScript(request: SnippetRequest): string {
  const { method, root, path, headers, secret, body, notes } = snippetParts(request)
  return [
    ...notes.map((note) => `// ${note}`),
    `const answer = await fetch(${root === 'base' ? 'process.env.SVC_BASE_URL + ' : ''}${text(path)}, {`,
    `  method: '${method}',`,
    '  headers: {',
    ...headers.map(({ name, value }) => `    '${name}': ${text(value)},`),
    ...(secret === null
      ? []
      : [`    '${secret.name}': ${secret.before === '' ? `process.env.${secret.variable} ?? ''` : `\`${secret.before}\${process.env.${secret.variable}}\``},`]),
    '  },',
    ...(body === null ? [] : [`  body: ${text(body)},`]),
    "  redirect: 'manual',",
    '})',
    'console.log(answer.status, await answer.text())',
    '',
  ].join('\n')
}
