// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.compat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * The exception with which a scheduler tells an ApplicationMaster that its ask is invalid. Hadoop 3.5 corrected a
 * spelling mistake in the name of the class, so the class is looked up once by reflection.
 */
public final class InvalidAsk {
    private static final String PACKAGE = "org.apache.hadoop.yarn.exceptions.";
    private static final List<String> NAMES = List.of(
            PACKAGE + "SchedulerInvalidResourceRequestException", PACKAGE + "SchedulerInvalidResoureRequestException");
    private static final @Nullable MethodHandle CONSTRUCTOR = constructor();

    private InvalidAsk() {}

    public static RuntimeException exception(String message) {
        if (CONSTRUCTOR != null) {
            try {
                return (RuntimeException) CONSTRUCTOR.invoke(message);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("the constructor declares no checked exception", e);
            }
        }
        return new YarnRuntimeException(message);
    }

    /** Whether Hadoop, or {@link #exception}, has made this exception to refuse an ask. */
    public static boolean isOne(RuntimeException e) {
        return NAMES.contains(e.getClass().getName());
    }

    /** Runs something of which it does not matter whether Hadoop refuses an ask in it. */
    public static void ignore(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            if (!isOne(e)) {
                throw e;
            }
        }
    }

    private static @Nullable MethodHandle constructor() {
        return NAMES.stream()
                .map(InvalidAsk::constructorOf)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Null if the class has another name on this Hadoop line. */
    private static @Nullable MethodHandle constructorOf(String name) {
        try {
            return MethodHandles.publicLookup()
                    .findConstructor(Class.forName(name), MethodType.methodType(void.class, String.class));
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
