// SPDX-License-Identifier: Apache-2.0
/** What all commands share: their frame, defaults of options, and durations and sizes as values. Needs picocli. */
@NullMarked
package org.heddle.settings.command;

import org.jspecify.annotations.NullMarked;
