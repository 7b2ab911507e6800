/* power.cpp - the largest eigenvalue of a matrix by the power method, in C++.
 *
 * Vectors of the standard library are borrowed, and what is made is freed where its owner ends.
 * The matrix is that of a ring of N places, each joined to its two neighbours and to itself: the
 * largest eigenvalue is 3.
 *
 * SPDX-License-Identifier: MIT
 */
#include <spcc.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

template <auto release> struct Free {
    template <class T> void operator()(T *object) const { release(object); }
};
using Context = std::unique_ptr<spcc_context, Free<spcc_context_free>>;
using Kernel = std::unique_ptr<spcc_kernel, Free<spcc_kernel_free>>;
using Tensor = std::unique_ptr<spcc_tensor, Free<spcc_tensor_free>>;

void check(const Context &cx, spcc_status status)
{
    if (status != SPCC_OK)
        throw std::runtime_error(cx ? spcc_message(cx.get()) : "no context");
}

Context new_context()
{
    spcc_context *cx = nullptr;
    spcc_status status = spcc_context_new(nullptr, &cx);
    Context owner(cx);
    check(owner, status);
    return owner;
}

/* A row for each place: its neighbours and itself, whose coordinates ascend. */
struct Ring {
    std::vector<std::int32_t> pos{0}, crd;
    std::vector<double> vals;

    explicit Ring(std::int32_t n) : vals(3 * static_cast<std::size_t>(n), 1.0)
    {
        for (std::int32_t i = 0; i < n; i++) {
            if (i == n - 1)
                crd.push_back(0);
            for (std::int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++)
                crd.push_back(j);
            if (i == 0)
                crd.push_back(n - 1);
            pos.push_back(static_cast<std::int32_t>(crd.size()));
        }
    }
};

Tensor borrow(const Context &cx, const Ring &ring, std::int64_t n)
{
    const std::int64_t size[] = {n, n};
    const spcc_array arrays[] = {{ring.pos.data(), n + 1}, {ring.crd.data(), 3 * n}};
    spcc_tensor *tensor = nullptr;
    check(cx, spcc_tensor_borrow(cx.get(), "csr", SPCC_F64, 2, size, arrays, 2, ring.vals.data(),
                                 3 * n, nullptr, &tensor));
    return Tensor(tensor);
}

Tensor borrow(const Context &cx, std::vector<double> &vector)
{
    const auto n = static_cast<std::int64_t>(vector.size());
    spcc_tensor_options writable{};
    writable.size = sizeof writable;
    writable.writable = true;
    spcc_tensor *tensor = nullptr;
    check(cx, spcc_tensor_borrow(cx.get(), nullptr, SPCC_F64, 1, &n, nullptr, 0, vector.data(), n,
                                 &writable, &tensor));
    return Tensor(tensor);
}

Kernel compile(const Context &cx, const char *statement)
{
    spcc_declaration A{};
    A.name = "A";
    A.format = "csr";
    spcc_compile_options options{};
    options.size = sizeof options;
    options.declarations = &A;
    options.n_declarations = 1;
    spcc_kernel *kernel = nullptr;
    check(cx, spcc_compile(cx.get(), statement, &options, &kernel));
    return Kernel(kernel);
}

double largest_eigenvalue(std::int32_t n, int steps)
{
    Context cx = new_context();
    const Ring ring(n);
    std::vector<double> x(static_cast<std::size_t>(n)), y(x.size());
    x[0] = 1;
    Tensor A = borrow(cx, ring, n), tx = borrow(cx, x), ty = borrow(cx, y);
    Kernel product = compile(cx, "y(i) = A(i,j) * x(j)");
    double norm = 0;
    for (int step = 0; step < steps; step++) {
        check(cx, spcc_run(cx.get(), product.get(), ty.get(), A.get(), tx.get()));
        norm = 0;
        for (double component : y)
            norm += component * component;
        norm = std::sqrt(norm);
        for (std::size_t i = 0; i < x.size(); i++)
            x[i] = y[i] / norm;
    }
    return norm;
}

} // namespace

int main()
{
    try {
        const double found = largest_eigenvalue(20, 400);
        std::printf("the largest eigenvalue is %.6f\n", found);
        return std::abs(found - 3) > 1e-6;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
