/**
 * Creates a random id. Calls of different steps, requests and processes must not share one. The id
 * is not a secret.
 */
export const createToolCallId = () => `call_${randomText()}${randomText()}`

const randomText = () => Math.random().toString(36).slice(2)
