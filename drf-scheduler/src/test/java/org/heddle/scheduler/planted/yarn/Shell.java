// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.planted.yarn;

/** Stands for the shell in LayeringTest. */
public record Shell(String name) {}
