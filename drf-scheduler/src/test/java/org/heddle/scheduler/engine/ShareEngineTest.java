// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.heddle.scheduler.policy.DrfOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The engine's lock rule. */
@Tag("pure")
class ShareEngineTest {
    private static final Set<String> FOR_ANY_THREAD = Set.of("root", "resources", "capacity");

    /** Found by reflection, so that a method that is added later is checked, too. */
    @Test
    void everyPublicMethodRefusesACallerWithoutTheLock() throws IllegalAccessException {
        ShareEngine engine = new ShareEngine(2, new DrfOrder(), () -> false);
        List<Method> methods = Arrays.stream(ShareEngine.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .toList();
        assertThat(methods).hasSizeGreaterThan(20);
        for (Method method : methods) {
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(ShareEngineTest::anything)
                    .toArray();
            if (FOR_ANY_THREAD.contains(method.getName())) {
                invoke(engine, method, arguments);
            } else {
                assertThatThrownBy(() -> invoke(engine, method, arguments))
                        .as(method.getName())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("lock must be held");
            }
        }
    }

    private static void invoke(ShareEngine engine, Method method, Object[] arguments) throws IllegalAccessException {
        try {
            method.invoke(engine, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        }
    }

    private static @Nullable Object anything(Class<?> type) {
        if (type == int.class) {
            return 0;
        }
        if (type == boolean.class) {
            return false;
        }
        return type == long.class ? 0L : null;
    }
}
