/**
 * A random id: calls of different steps, requests and processes must never share one. It is not a
 * secret.
 */
export const createToolCallId = () => `call_${randomText()}${randomText()}`

const randomText = () => Math.random().toString(36).slice(2)
