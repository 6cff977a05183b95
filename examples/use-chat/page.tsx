import { useChat } from '@ai-sdk/react'
import { isToolUIPart, type UIMessage } from 'ai'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

function Page() {
  const [text, setText] = useState('What is the weather in Paris?')
  // Messages go to /api/chat, which is the default of `useChat`.
  const { messages, sendMessage, status, error } = useChat()

  return (
    <main>
      {messages.map(message => (
        <section key={message.id}>
          <b>{message.role}</b>
          {message.parts.map((part, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
            <Part key={i} part={part} />
          ))}
        </section>
      ))}
      {error && <p>{error.message}</p>}
      <form
        onSubmit={event => {
          event.preventDefault()
          sendMessage({ text })
          setText('')
        }}
      >
        <input value={text} onChange={event => setText(event.target.value)} />
        <button type="submit" disabled={status !== 'ready'}>
          Send
        </button>
      </form>
    </main>
  )
}

function Part({ part }: { part: UIMessage['parts'][number] }) {
  if (part.type === 'text') return <p>{part.text}</p>
  if (!isToolUIPart(part)) return null
  // The input grows while the model writes the call; then comes the output.
  return (
    <pre>
      {part.type} {JSON.stringify(part.input)} {part.state}
      {part.state === 'output-available' && ` ${JSON.stringify(part.output)}`}
    </pre>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Page />)
