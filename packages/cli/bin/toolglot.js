#!/usr/bin/env node
// npm links a command only to a file that exists. In a clone this one does, before the first build.
import '../dist/main.js'
