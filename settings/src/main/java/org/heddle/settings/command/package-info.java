// SPDX-License-Identifier: Apache-2.0
/** What the commands' options share: defaults from the layers, and durations and sizes as values. Needs picocli. */
@NullMarked
package org.heddle.settings.command;

import org.jspecify.annotations.NullMarked;
