// SPDX-License-Identifier: Apache-2.0
/** The command {@code heddle whatif}. {@code WhatIf} has the options and knows no Hadoop; {@code Run} does the work. */
@NullMarked
package org.heddle.whatif.cli;

import org.jspecify.annotations.NullMarked;
